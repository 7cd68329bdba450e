import { Empty } from "../../ui/states.tsx";

/** The first thing a newcomer sees. */
export default function Welcome() {
  return <Empty title="Welcome to your hall." />;
}
