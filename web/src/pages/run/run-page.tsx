export default function Stub() {
  return <p>run-page</p>;
}
