export default function Stub() {
  return <p>activity-page</p>;
}
