export default function Stub() {
  return <p>settings-page</p>;
}
