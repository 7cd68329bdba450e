export default function Stub() {
  return <p>role-page</p>;
}
