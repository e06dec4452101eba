import { useStore } from '#app/shared/web/storage.ts'
import { noticeAtom } from '#app/shared/web/toast.tsx'
import { isAdmin } from '../session-contract.ts'
import { dashboardOf, sessionAtom } from './session.ts'

const hide = () => noticeAtom.set(null)

/** Leads an admin to the back office after a log-in, which opens a page of the storefront (spec §4). */
export function AdminLine() {
  const { user } = useStore(sessionAtom)
  if (!user || !isAdmin(user)) return null
  return (
    <aside
      aria-label="Back office"
      // the edge of the header is over its top
      className="flex flex-wrap items-center justify-center gap-4 bg-base-200 px-4 pt-6 text-sm print:hidden"
    >
      <a href={dashboardOf(user)} onClick={hide} className="link py-2">
        Go to the back office
      </a>
      <button type="button" onClick={hide} className="btn btn-ghost btn-sm">
        Not now
      </button>
    </aside>
  )
}
