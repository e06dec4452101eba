import type { DemoCategory, DemoProduct } from './demo-category.ts'
import { artAndPaper } from './products/art-and-paper.ts'
import { clothesAndBags } from './products/clothes-and-bags.ts'
import { homeAndGarden } from './products/home-and-garden.ts'
import { kitchenAndPantry } from './products/kitchen-and-pantry.ts'
import { musicalInstruments } from './products/musical-instruments.ts'
import { outdoorsAndSport } from './products/outdoors-and-sport.ts'
import { soundAndScreens } from './products/sound-and-screens.ts'
import { toysAndGames } from './products/toys-and-games.ts'

/** In the order of their first products on the home page. */
export const DEMO_CATEGORIES: DemoCategory[] = [
  kitchenAndPantry,
  soundAndScreens,
  outdoorsAndSport,
  musicalInstruments,
  toysAndGames,
  homeAndGarden,
  clothesAndBags,
  artAndPaper,
]

export type Shelved = { category: DemoCategory; product: DemoProduct }

/** All products, newest first, alternating between the categories. */
export function newestFirst(): Shelved[] {
  const rounds = Math.max(...DEMO_CATEGORIES.map(({ products }) => products.length))
  return Array.from({ length: rounds }, (_, round) =>
    DEMO_CATEGORIES.flatMap((category) => {
      const product = category.products[round]
      return product ? [{ category, product }] : []
    }),
  ).flat()
}
