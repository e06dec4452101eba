import { Outlet, useLocation, useRevalidator } from 'react-router'
import { sessionCalls } from '#app/accounts/session-contract.ts'
import { renewUser } from '#app/accounts/web/renewed-user.ts'
import type { ReturnState } from '#app/accounts/web/return-path.ts'
import { cartAtom, without } from '#app/cart/web/cart.ts'
import { useVerifyOnOpen } from '#app/payments/web/use-verification.ts'
import { href } from '#app/shared/model/href.ts'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import { NavLink } from '#app/shared/web/navigation.tsx'
import type { Route } from './+types/user-area-layout.ts'
import { Countdown } from './countdown.tsx'
import { Checking, enter, isRefusal, useEntered, useRecheck } from './guard.tsx'

/** The pages show and save the user as the server has it now. */
export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  enter({ context }, (call) => Promise.all([call(sessionCalls.checkUser), renewUser()]))

/** The session is checked at every navigation. */
export const shouldRevalidate = () => true

export const HydrateFallback = () => <Checking title="Dashboard" />

/** The layout of the signed-in user's pages (spec §2). */
export default function UserAreaLayout({ loaderData }: Route.ComponentProps) {
  useRecheck()
  useVerifyOnOrders()
  if (!useEntered(loaderData)) return <ErrorPage status={503} />
  return (
    <div className="mx-auto grid min-h-dvh max-w-7xl grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-10 print:block md:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10 lg:px-8">
      <nav aria-label="User area" className="print:hidden">
        <ul className="surface flex flex-wrap gap-1 p-2 md:flex-col md:p-3">
          <Entry to={href('/dashboard/user')} label="Dashboard" />
          <Entry to={href('/dashboard/user/profile')} label="Profile" />
          <Entry to={href('/dashboard/user/orders')} label="Orders" />
        </ul>
      </nav>
      <Outlet />
    </div>
  )
}

/** Unconfirmed payments are verified again on the orders page. */
function useVerifyOnOrders() {
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  useVerifyOnOpen(pathname === href('/dashboard/user/orders'), {
    paid({ ids }) {
      cartAtom.update((stored) => without(stored, ids))
      void revalidate()
    },
    refused: () => void revalidate(),
  })
}

function Entry({ to, label }: { to: string; label: string }) {
  return (
    <li className="max-md:flex-1">
      <NavLink
        href={to}
        className="entry text-center aria-[current=page]:bg-neutral aria-[current=page]:text-neutral-content md:text-start"
      >
        {label}
      </NavLink>
    </li>
  )
}

/** Guests are redirected to the log-in, which returns them here. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useRecheck()
  const { pathname, search } = useLocation()
  if (!isRefusal(error)) return <ErrorPage error={error} />
  const state: ReturnState = { from: pathname + search }
  return <Countdown to={href('/login')} state={state} />
}
