import { type ReactNode, useEffect } from 'react'
import { Outlet } from 'react-router'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { Warnings } from '#app/emails/web/admin/warnings.tsx'
import { Countdown } from '#app/layouts/countdown.tsx'
import { enter, isRefusal, useEntered, useRecheck } from '#app/layouts/guard.tsx'
import { settingsCalls } from '#app/settings/contract.ts'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf } from '#app/shared/web/load.ts'
import { useKeptFocus, useSlowNavigation } from '#app/shared/web/navigation.tsx'
import { LiveRegion } from '#app/shared/web/toast.tsx'
import './back-office.css'
import type { Route } from './+types/back-office-layout.ts'
import { showTimesIn } from './kit/time.tsx'
import { UndoNotices } from './kit/undo.tsx'
import { PhoneBars, Sidebar } from './sidebar.tsx'
import { ToolDialogs } from './tools.tsx'
import { loadWaiting } from './waiting.ts'

/** The address that was loaded last. It is loaded again after a change. */
let loaded = ''

export async function clientLoader({ context, request }: Route.ClientLoaderArgs) {
  const isAgain = request.url === loaded
  loaded = request.url
  const [entry, settings] = await Promise.all([
    enter({ context }, (call) => call(userAdminCalls.checkAdmin)),
    callOf({ context })(settingsCalls.getSettings).catch(() => null),
  ])
  if (settings) showTimesIn(settings.timeZone)
  if (entry === 'granted') void loadWaiting(isAgain)
  return { entry, settings }
}

/** The session and the role are checked at every navigation. */
export const shouldRevalidate = () => true

/** The outlines of the frame and of a page, in their place, while the session is checked and the page loads. */
export const HydrateFallback = () => (
  <div className="back-office">
    <PageHead title="Admin Dashboard" hidden />
    <div className="sidebar-outline" />
    <div className="back-office-main space-y-4">
      <p role="status" className="needs-script sr-only">
        Checking
      </p>
      <noscript>
        <p>This page needs JavaScript. Please switch it on in your browser.</p>
      </noscript>
      <div className="outline-block needs-script h-9 w-48" />
      <div className="outline-block needs-script h-9" />
      <div className="surface needs-script h-[70dvh]" />
    </div>
  </div>
)

/** How often what waits is loaded while the window is shown; every navigation and every change load it, too. */
const WAITING_MS = 60_000

/** The frame of the back office: its menu, the page, and the messages. */
function Frame({ children }: { children: ReactNode }) {
  useKeptFocus()
  useSlowNavigation()
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void loadWaiting(), WAITING_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="back-office">
      <a href="#main" className="btn btn-primary skip-link print:hidden">
        Skip to the content
      </a>
      <PhoneBars />
      <Sidebar />
      <main id="main" tabIndex={-1} className="back-office-main">
        {children}
      </main>
      <UndoNotices />
      <LiveRegion />
    </div>
  )
}

/** The layout of the back office (spec §2). */
export default function BackOfficeLayout({ loaderData: { entry } }: Route.ComponentProps) {
  useRecheck()
  const isEntered = useEntered(entry)
  return (
    <Frame>
      {isEntered && <Warnings />}
      {isEntered ? <Outlet /> : <ErrorPage status={503} />}
      <ToolDialogs />
    </Frame>
  )
}

/** Users without the admin role are redirected to the home page. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useRecheck()
  if (!isRefusal(error))
    return (
      <Frame>
        <ErrorPage error={error} />
      </Frame>
    )
  return (
    <main id="main" className="back-office">
      <Countdown to="/" />
    </main>
  )
}
