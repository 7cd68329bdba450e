export default function Stub() {
  return <p>projects-page</p>;
}
