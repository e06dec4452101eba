import { data } from 'react-router'
import { ErrorPage } from '#app/shared/web/failure/error-page.tsx'

const load = () => data(null, { status: 404 })

export const loader = () => load()
export const clientLoader = () => load()

/** The page for every URL that is not on the site map (spec §2). */
export default function NotFoundPage() {
  return <ErrorPage status={404} />
}
