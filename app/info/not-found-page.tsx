import { data } from 'react-router'
import { ErrorPage } from '#app/shared/web/error-page.tsx'

export const loader = () => data(null, { status: 404 })
export const clientLoader = loader

/** Any address that is not on the site map (spec §2). */
export default function NotFoundPage() {
  return <ErrorPage status={404} />
}
