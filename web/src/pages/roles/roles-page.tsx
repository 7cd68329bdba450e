export default function Stub() {
  return <p>roles-page</p>;
}
