import { Outlet } from 'react-router'
import { PageHead } from '#app/shared/web/head.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { sessionAtom } from '../session.ts'

/** The admin's name, e-mail and contact phone (spec §2), and the sales figures below. */
export default function AdminDashboardPage() {
  const { user } = useStore(sessionAtom)
  return (
    <div className="space-y-6">
      <PageHead title="Admin Dashboard" hidden />
      <section className="surface p-6 sm:p-10">
        <h1 className="wrap-anywhere mb-6 text-3xl">{user?.name}</h1>
        <dl className="wrap-anywhere grid gap-x-8 gap-y-1 sm:grid-cols-[auto_1fr] sm:gap-y-3">
          <dt className="text-base-content/75">Email</dt>
          <dd className="mb-3 sm:mb-0">{user?.email}</dd>
          <dt className="text-base-content/75">Contact</dt>
          <dd>{user?.phone}</dd>
        </dl>
      </section>
      <Outlet />
    </div>
  )
}
