export default function Stub() {
  return <p>board-page</p>;
}
