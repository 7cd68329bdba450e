export default function Stub() {
  return <p>runs-tab</p>;
}
