import { type Call, callThrough } from '#app/shared/web/call.ts'

/** Calls the API of the shop at an address, as the user of a session, or as a guest. */
export const callAs = (address: string, token = ''): Call =>
  callThrough(
    (url, init) => fetch(address + url, init),
    () => ({ authorization: token }),
  )
