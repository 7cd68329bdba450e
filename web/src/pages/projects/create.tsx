export default function Stub() {
  return <p>create</p>;
}
