/** Links of the back office's menu to the pages of a domain, which its `admin-contract.ts` exports as `adminMenu`. */
export type AdminMenu = {
  /** Below /dashboard/admin. */
  path: string
  label: string
  /** Where it stands among the links of all domains; the lowest is first. */
  position: number
}[]
