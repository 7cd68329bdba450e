export default function Stub() {
  return <p>costs-page</p>;
}
