export default function Stub() {
  return <p>project-talk</p>;
}
