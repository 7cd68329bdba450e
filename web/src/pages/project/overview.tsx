export default function Stub() {
  return <p>overview</p>;
}
