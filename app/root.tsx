import { Links, Meta, Outlet, ScrollRestoration } from 'react-router'
import './app.css'
import type { Route } from './+types/root.ts'
import figtree from './fonts/figtree.woff2?url'
import fraunces from './fonts/fraunces.woff2?url'
import { ErrorPage } from './shared/web/failure/error-page.tsx'
import { LowPriorityScripts } from './shared/web/low-priority-scripts.tsx'
import { LinkNavigation } from './shared/web/navigation/link-navigation.tsx'
import { NavigationProgress } from './shared/web/navigation/navigation-progress.tsx'
import { useFocusOnNavigation } from './shared/web/navigation/use-focus-on-navigation.ts'
import { shopContext } from './shared/web/shop-context.ts'

const font = (href: string) => ({
  rel: 'preload' as const,
  href,
  as: 'font' as const,
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
})

export const links: Route.LinksFunction = () => [
  font(figtree),
  font(fraunces),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const loader = ({ context }: Route.LoaderArgs) => context.get(shopContext)

export const shouldRevalidate = () => false

export function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fffdf8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#2a211b" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Links />
      </head>
      <body className="font-sans antialiased">
        {children}
        <LinkNavigation />
        <ScrollRestoration />
        <LowPriorityScripts />
      </body>
    </html>
  )
}

export default function App() {
  useFocusOnNavigation()
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  )
}

/** The error page outside of every layout; inside one, the layout shows the same page. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
