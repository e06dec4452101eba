export default function CategoriesPage() {
  return <h1>All Categories</h1>
}
