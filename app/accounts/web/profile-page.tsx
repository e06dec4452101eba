import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, type LoadArgs, loadOrLog } from '#app/shared/web/load.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { accountCalls, accountEmailCalls } from '../contract.ts'
import type { Route } from './+types/profile-page.ts'
import { EmailStatus } from './email-status.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SavedDelivery } from './saved-delivery.tsx'
import { sessionAtom } from './session.ts'
import { YourData } from './your-data.tsx'

export const clientLoader = ({ context }: LoadArgs) =>
  loadOrLog(context.get(callContext)(accountEmailCalls.getEmailStatus))

/** Changes the own profile and the stored user; the token stays (spec §2, §4). */
export default function ProfilePage({ loaderData: emailStatus }: Route.ComponentProps) {
  const { user } = useStore(sessionAtom)
  const { revalidate } = useRevalidator()
  const [saves, setSaves] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  // the focused form is replaced after a save
  useEffect(() => {
    if (saves > 0) heading.current?.focus()
  }, [saves])
  const save = useSubmit(
    async (field) => {
      const { message, updatedUser } = await call(accountCalls.updateProfile, {
        body: valuesOf(field, 'name', 'password', 'phone', 'address', 'answer', 'currentPassword'),
      })
      sessionAtom.update((session) => ({ ...session, user: updatedUser }))
      setSaves(saves + 1)
      toast.success(message)
    },
    // the guard checks again and finds that the session has ended
    { refused: revalidate },
  )
  return (
    <section className="surface max-w-2xl p-6 sm:p-10">
      <PageHead title="Profile" hidden />
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-3xl outline-none">
        Profile
      </h1>
      {/* a new form for the saved values, and for another user */}
      <ProfileForm key={`${user?._id} ${saves}`} user={user} save={save} />
      {emailStatus && <EmailStatus status={emailStatus} />}
      <SavedDelivery />
      <YourData />
    </section>
  )
}
