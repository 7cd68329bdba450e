export default function Stub() {
  return <p>artifacts</p>;
}
