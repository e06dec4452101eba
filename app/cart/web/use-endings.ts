import { useSetAtom } from 'jotai'
import { RESET } from 'jotai/utils'
import { useNavigate } from 'react-router'
import { sessionAtom } from '#app/accounts/web/session.ts'
import type { Endings } from '#app/payments/web/use-settling.ts'
import { cartAtom, without } from './cart.ts'

/** What the ways out of a payment mean for the cart; `check` brings it up to date. */
export function useEndings(check: () => Promise<void>): Endings {
  const setCart = useSetAtom(cartAtom)
  const setSession = useSetAtom(sessionAtom)
  const navigate = useNavigate()
  return {
    paid({ ids }) {
      // what another tab added meanwhile stays
      setCart((stored) => without(stored, ids))
      void navigate('/dashboard/user/orders')
    },
    refused: ({ status }) => (status === 401 ? setSession(RESET) : void check()),
  }
}
