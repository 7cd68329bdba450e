import { Outlet } from "@tanstack/react-router";

export default function Stub() {
  return <Outlet />;
}
