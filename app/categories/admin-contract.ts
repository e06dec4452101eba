/** The back office's calls for categories: create, rename, delete. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, FilledName, Id, Page, SearchText } from '../shared/contract/fields.ts'
import { Category } from './contract.ts'

const ById = Type.Object({ id: Id })
const Naming = Type.Object({ name: FilledName(100) })
const Named = Type.Object({ ...Done.properties, category: Category })

/** A category with the number of its products. */
export const CountedCategory = Type.Object({ ...Category.properties, products: Type.Integer() })
export type CountedCategory = Static<typeof CountedCategory>

export const categoryAdminCalls = {
  countCategories: endpoint({
    method: 'GET',
    path: '/category/all-categories',
    access: 'admin',
    summary:
      'A page of fifty categories by name, with their numbers of products; the total is in X-Total-Count',
    query: Type.Object({ page: Type.Optional(Page), q: SearchText('Part of the name') }),
    answer: Type.Array(CountedCategory),
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/category/create-category',
    access: 'admin',
    summary: 'Adds a category; names are compared without case and blanks',
    body: Naming,
    answer: Named,
    status: 201,
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/category/update-category/:id',
    access: 'admin',
    summary: 'Renames a category; its former addresses keep answering',
    params: ById,
    body: Naming,
    answer: Named,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/category/delete-category/:id',
    access: 'admin',
    summary: 'Deletes a category that has no products',
    params: ById,
    answer: Done,
  }),
} satisfies Contract
