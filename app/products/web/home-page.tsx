export default function HomePage() {
  return <h1>Haat</h1>
}
