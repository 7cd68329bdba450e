export default function Stub() {
  return <p>knowledge</p>;
}
