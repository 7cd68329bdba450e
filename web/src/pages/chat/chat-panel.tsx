export default function Stub() {
  return <p>chat-panel</p>;
}
