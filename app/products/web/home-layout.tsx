import { Link, Outlet } from 'react-router'
import { settingsCalls } from '#app/settings/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { callOf, type LoadArgs, revalidateUnlessChoosing } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/home-layout.ts'
import { Carousel } from './home/carousel.tsx'

const load = async ({ context }: Pick<LoadArgs, 'context'>) => ({
  slides: await callOf({ context })(settingsCalls.getSlides),
})

export const loader = ({ context }: Route.LoaderArgs) => load({ context })
export const clientLoader = ({ context }: Route.ClientLoaderArgs) => load({ context })

export const shouldRevalidate = revalidateUnlessChoosing

/** The home page's frame: the carousel above the products (spec §2), where the shop has slides. */
export default function HomeLayout({ loaderData: { slides } }: Route.ComponentProps) {
  const { hasAdmin } = useShop()
  return (
    <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8 lg:px-8">
      {(slides.length > 0 || !hasAdmin) && (
        <div className="space-y-6 lg:col-start-2">
          {!hasAdmin && <FirstRunNotice />}
          {slides.length > 0 && <Carousel slides={slides} />}
        </div>
      )}
      <Outlet />
    </div>
  )
}

/** Leads to the first run while the shop has no admin. */
function FirstRunNotice() {
  return (
    <aside
      aria-label="New shop"
      className="surface flex flex-wrap items-center justify-between gap-4 p-6"
    >
      <p className="text-lg">This shop is new and has no admin yet.</p>
      <Link to={href('/first-run')} className="btn btn-primary">
        Set up the shop
      </Link>
    </aside>
  )
}
