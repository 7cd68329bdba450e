export default function Stub() {
  return <p>memory</p>;
}
