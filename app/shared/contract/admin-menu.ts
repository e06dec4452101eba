import type { PlainPage } from '../model/href.ts'

/**
 * The links of a domain in the back office's menu; its `admin-contract.ts` exports them as
 * `adminMenu`.
 */
export type AdminMenu = {
  path: PlainPage
  label: string
  /** The sort key among the links of all domains, ascending. */
  position: number
}[]
