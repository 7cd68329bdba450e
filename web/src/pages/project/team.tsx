export default function Stub() {
  return <p>team</p>;
}
