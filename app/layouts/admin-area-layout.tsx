import { Outlet } from 'react-router'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { Spinner } from '#app/shared/web/busy.tsx'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import '../admin.css'
import type { Route } from './+types/admin-area-layout.ts'
import { AdminMenu } from './admin-menu.tsx'
import { Countdown } from './countdown.tsx'
import { enter, isRefusal, useEntered, useRecheck } from './guard.ts'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  enter({ context }, userAdminCalls.checkAdmin)

/** The session and the role are checked at every navigation. */
export const shouldRevalidate = () => true

/** As high as the window, like the content that follows, so that the footer does not move. */
export const HydrateFallback = () => (
  <div className="min-h-dvh">
    <PageHead title="Admin Dashboard" hidden />
    <Spinner label="Checking" />
  </div>
)

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
