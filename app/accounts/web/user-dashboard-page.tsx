import { PageHead } from '#app/shared/web/head.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { sessionAtom } from './session.ts'

/** The signed-in user's name, e-mail and address (spec §2). */
export default function UserDashboardPage() {
  const { user } = useStore(sessionAtom)
  return (
    <section className="surface p-6 sm:p-10">
      <PageHead title="Dashboard" hidden />
      <h1 className="wrap-anywhere mb-6 text-3xl">{user?.name}</h1>
      <dl className="wrap-anywhere grid gap-x-8 gap-y-1 sm:grid-cols-[auto_1fr] sm:gap-y-3">
        <dt className="text-base-content/75">Email</dt>
        <dd className="mb-3 sm:mb-0">{user?.email}</dd>
        <dt className="text-base-content/75">Address</dt>
        <dd>{user?.address}</dd>
      </dl>
    </section>
  )
}
