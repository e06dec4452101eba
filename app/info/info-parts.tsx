import { isAdmin } from '#app/accounts/session-contract.ts'
import { sessionAtom } from '#app/accounts/web/session.ts'
import { href } from '#app/shared/model/href.ts'
import { useStore } from '#app/shared/web/storage.ts'
import stall from './stall.svg?url&no-inline'

/** Picture of the information pages (spec §2). Its colours go with both themes. */
export const ShopIllustration = () => (
  <img src={stall} alt="A market stall" width={480} height={400} className="w-full" />
)

/** What a page says while the merchant has written no text for it; an admin is led to the settings. */
export function Unwritten() {
  const { user } = useStore(sessionAtom)
  return (
    <>
      <p>We are still writing this page. Please come back soon.</p>
      {isAdmin(user) && (
        <p>
          <a href={href('/dashboard/admin/settings/:page', { page: 'texts' })} className="link">
            Write it now
          </a>
        </p>
      )}
    </>
  )
}
