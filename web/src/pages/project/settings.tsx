export default function Stub() {
  return <p>settings</p>;
}
