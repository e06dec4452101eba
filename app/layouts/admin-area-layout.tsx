import { Outlet } from 'react-router'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import '../admin.css'
import type { Route } from './+types/admin-area-layout.ts'
import { AdminMenu } from './admin-menu.tsx'
import { Countdown } from './countdown.tsx'
import { Checking, enter, isRefusal, useEntered, useRecheck } from './guard.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  enter({ context }, userAdminCalls.checkAdmin)

/** The session and the role are checked at every navigation. */
export const shouldRevalidate = () => true

export const HydrateFallback = () => <Checking title="Admin Dashboard" />

/** The layout of the back office (spec §2). */
export default function AdminAreaLayout({ loaderData }: Route.ComponentProps) {
  useRecheck()
  if (!useEntered(loaderData)) return <ErrorPage status={503} />
  return (
    <div className="mx-auto grid min-h-dvh max-w-7xl grid-cols-[minmax(0,1fr)] content-start items-start gap-6 px-4 py-10 print:block md:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8 lg:px-8">
      <AdminMenu />
      <Outlet />
    </div>
  )
}

/** Users without the admin role are redirected to the home page. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useRecheck()
  if (!isRefusal(error)) return <ErrorPage error={error} />
  return <Countdown to="/" />
}
