export default function Stub() {
  return <p>context</p>;
}
