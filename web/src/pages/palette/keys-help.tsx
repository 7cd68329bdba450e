export default function Stub() {
  return <p>keys-help</p>;
}
