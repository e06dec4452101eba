import type { ReactNode } from 'react'
import { PageHead } from '#app/shared/web/head.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { dashboardOf, sessionAtom, useLogOut } from './session.ts'

/** The card around an account form; `page` is the title of the page. */
export function AccountCard({
  page,
  title,
  children,
}: Record<'page' | 'title', string> & { children: ReactNode }) {
  return (
    <section className="mx-auto w-full max-w-md px-4 pb-12 sm:pb-16">
      <PageHead title={page} hidden />
      <SignedIn />
      <div className="surface space-y-6 p-6 shadow-sm sm:p-10">
        <h1 dir="auto" className="wrap-anywhere text-center text-3xl">
          {title}
        </h1>
        {children}
      </div>
    </section>
  )
}

/** Shows the signed-in user. It uses reserved space, so the layout does not shift. */
function SignedIn() {
  const { user } = useStore(sessionAtom)
  const logOut = useLogOut()
  return (
    <div className="flex h-16 items-center justify-center gap-3 pt-3 text-sm">
      {user && (
        <>
          <p className="truncate">You are logged in as {user.name}.</p>
          <a href={dashboardOf(user)} className="link link-primary">
            Dashboard
          </a>
          <button type="button" onClick={logOut} className="link link-primary">
            Logout
          </button>
        </>
      )}
    </div>
  )
}
