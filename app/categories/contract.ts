/** Categories: every product belongs to one. */

import { type Static, Type } from 'typebox'
import { href } from '#app/shared/model/href.ts'
import { SETTINGS_TAG } from '../settings/contract.ts'
import { type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { Done, Id } from '../shared/contract/fields.ts'

export const Category = Type.Object({ _id: Id, name: Type.String(), slug: Type.String() })
export type Category = Static<typeof Category>

/** The path of a category's page. */
export const categoryPath = ({ slug }: { slug: string }) => href('/category/:slug', { slug })

/** The cache tag of every answer that contains category names. */
export const CATEGORIES_TAG = 'categories'

export const categoryCalls = {
  getCategories: cachedEndpoint(() => [CATEGORIES_TAG, SETTINGS_TAG], {
    method: 'GET',
    path: '/category/get-category',
    access: 'public',
    summary: 'All categories by name',
    answer: Type.Object({ ...Done.properties, category: Type.Array(Category) }),
  }),
} satisfies Contract
