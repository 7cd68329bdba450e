export default function Stub() {
  return <p>runs-page</p>;
}
