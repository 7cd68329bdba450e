export default function Stub() {
  return <p>skills</p>;
}
