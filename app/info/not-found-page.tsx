import { data, redirectDocument, type ShouldRevalidateFunction } from 'react-router'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import type { Route } from './+types/not-found-page.ts'

export const loader = () => data(null, { status: 404 })

/** The site map of the browser may lack what the server has, such as the back office. */
export const clientLoader = ({ request }: Route.ClientLoaderArgs) => redirectDocument(request.url)

export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname

/** The page for every URL that is not on the site map (spec §2). */
export default function NotFoundPage() {
  return <ErrorPage status={404} />
}
