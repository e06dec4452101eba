import { useMemo } from 'react'
import { accountCalls } from '#app/accounts/contract.ts'
import { sessionAtom } from '#app/accounts/web/session.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useStore } from '#app/shared/web/storage.ts'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { isUnknownRegion, placeOf } from '#app/shipping/model.ts'
import { choicesAtom } from './choices.ts'

/** An address may have been stored before its country had known regions: then the region is missing. */
const placeWith = (country: string, region: string | undefined) =>
  isUnknownRegion(placeOf({ country, region })) ? { country } : { country, region }

/**
 * The delivery address of this tab: the one that was entered, else the one of the profile. An address
 * that another buyer entered in this tab is not used.
 */
export function useDelivery() {
  const { user } = useStore(sessionAtom)
  const { delivery: chosen } = useStore(choicesAtom)
  const isOwn = chosen !== undefined && [null, user?._id].includes(chosen.buyerId)
  const address = isOwn ? chosen.address : user?.delivery
  const { country, region } = address ?? {}
  const place = useMemo(
    () => (country === undefined ? undefined : placeWith(country, region)),
    [country, region],
  )
  const remember = async (delivery: DeliveryAddress) => {
    const { updatedUser } = await call(accountCalls.updateProfile, { body: { delivery } })
    sessionAtom.update((session) => ({ ...session, user: updatedUser }))
  }
  return {
    address,
    /** The part of the address that prices depend on. */
    place,
    suggested: { name: user?.name ?? '', phone: user?.phone ?? '' },
    onChange: (entered: DeliveryAddress) =>
      choicesAtom.update((stored) => ({
        ...stored,
        delivery: { buyerId: user?._id ?? null, address: entered },
      })),
    remember: user ? remember : undefined,
  }
}
