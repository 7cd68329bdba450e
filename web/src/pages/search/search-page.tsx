export default function Stub() {
  return <p>search-page</p>;
}
