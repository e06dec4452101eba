import type { previewCalls } from '#app/products/preview-contract.ts'
import type { publicationCalls } from '#app/products/publication-contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { withDelivery } from '../delivery/delivery.ts'
import { presentDetailed } from '../presenter.ts'
import { presentVariants } from '../variants/api.ts'
import { openVariants } from '../variants/save.ts'
import { idIn, isSigned, previewToken } from './preview.ts'
import { selectPreviewed, selectState, selectStoredBySlug } from './store.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof selectStoredBySlug>>>

const presentPlan = ({ sale_price_minor: sale, regular_price_minor: regular, ...row }: Stored) => ({
  status: row.status,
  attributeValues: row.attribute_values,
  ...(row.publishAt && { publishAt: row.publishAt }),
  ...(row.unpublishAt && { unpublishAt: row.unpublishAt }),
  ...(sale !== null && { salePrice: toMajor(sale, row.currency) }),
  ...(row.saleFrom && { saleFrom: row.saleFrom }),
  ...(row.saleUntil && { saleUntil: row.saleUntil }),
  ...(regular !== row.price_minor && { regularPrice: toMajor(regular, row.currency) }),
})

const noSuchProduct = () => notFound('There is no such product.')

export const publicationHandlers = ({
  db,
}: {
  db: Database
}): Handlers<typeof publicationCalls> => ({
  async openProduct({ params }) {
    const row = await selectStoredBySlug(db, params.slug)
    if (!row) throw noSuchProduct()
    const [product, preview, stored] = await Promise.all([
      presentDetailed(row),
      previewToken(db, row),
      openVariants(db, row.id).then((state) => presentVariants(db, row.id, state)),
    ])
    return {
      success: true,
      message: 'The product',
      product: { ...product, ...presentPlan(row), preview },
      ...stored,
    }
  },
})

export const previewHandlers = ({ db }: { db: Database }): Handlers<typeof previewCalls> => ({
  async previewProduct({ query: { token }, reply }) {
    reply.header('cache-control', 'no-store')
    const id = idIn(token)
    // the whole product is read for those who have a link to it only
    const state = id && (await selectState(db, id))
    const row = state && (await isSigned(db, token, state)) && (await selectPreviewed(db, state.id))
    if (!row || row.status !== state.status)
      throw notFound('This preview has ended. Open a new one in the back office.')
    const product = await withDelivery(db, await presentDetailed(row))
    return { success: true, message: 'A preview', product }
  },
})
