export default function Stub() {
  return <p>palette</p>;
}
