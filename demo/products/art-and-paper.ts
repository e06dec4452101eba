import type { DemoCategory } from '../demo-category.ts'

export const artAndPaper: DemoCategory = {
  name: 'Art & Paper',
  palette: { light: '#f3e6d8', deep: '#d3ab8b', disc: '#fdf8f1', shade: '#5a3420' },
  products: [
    {
      name: 'Lapis Fountain Pen',
      emoji: '1f58b-fe0f',
      price: 96,
      quantity: 11,
      shipping: true,
      description:
        'A fountain pen in lapis-blue resin with steel bands and a nib that is a pleasure to sign with. It fills from a bottle by its piston and holds 1.6 ml, enough for thirty letters. Nib M; flush it with water once a month. It comes in a gift box.',
    },
    {
      name: "Plein Air Painter's Palette",
      emoji: '1f3a8',
      price: 49,
      quantity: 15,
      shipping: true,
      description:
        'A painter’s palette of waxed birch, cut to rest on the forearm for hours. Five wells hold a starter set of gouache: violet, red, teal, blue and rose. 30 by 22 cm; wipe it clean with a damp cloth while the paint is wet.',
    },
    {
      name: 'Seven Seas World Map',
      emoji: '1f5fa-fe0f',
      price: 43,
      quantity: 22,
      shipping: true,
      description:
        'A world map in blue and green that folds along six lines to the size of a paperback. It shows every country of the year it was printed and the currents of the seven seas. 96 by 64 cm on paper that does not tear.',
    },
    {
      name: 'Cloudspun Knitting Yarn',
      emoji: '1f9f6',
      price: 21.8,
      quantity: 34,
      shipping: true,
      description:
        'A ball of cornflower-blue merino with the two needles to start at once. 100 g run to 220 m, which is a hat or one sleeve. Knits to 22 stitches on 4 mm needles; wash it at 30 degrees.',
    },
    {
      name: "Naturalist's Microscope",
      emoji: '1f52c',
      price: 187,
      quantity: 5,
      shipping: true,
      description:
        'A microscope of metal and glass that shows a drop of pond water at 40 to 400 times. The stage is lit from below and above, the focus is fine, and a phone fits on the eyepiece. With ten prepared slides and fifty blank ones.',
    },
    {
      name: 'Winter Reading Trio',
      emoji: '1f4da',
      price: 57,
      quantity: 10,
      shipping: true,
      description:
        'A gift of three clothbound books, chosen by our bookseller and wrapped so that nobody knows which. One is a novel, one a voyage, one short stories; green, red and blue. Sewn bindings, so they lie open by themselves.',
    },
    {
      name: 'Violet Reading Glass',
      emoji: '1f50d',
      price: 25,
      quantity: 24,
      shipping: true,
      description:
        'A magnifying glass of 90 mm that makes small print three times larger. The lens is ground glass in a violet rim, and the handle is weighted, so that it rests easily. For maps, stamps and the instructions of other products.',
    },
    {
      name: "Tailor's Coral Scissors",
      emoji: '2702-fe0f',
      price: 23.5,
      quantity: 28,
      shipping: true,
      description:
        'Scissors with blades of forged steel and coral-red loops for the whole hand. They cut silk without catching and four layers of denim without complaint. 21 cm, left- and right-handed alike; use them on paper and the tailor will know.',
    },
    {
      name: 'Confetti Notebook',
      emoji: '1f4d4',
      price: 16.4,
      quantity: 55,
      shipping: true,
      description:
        'A notebook in a dark cover strewn with pink and blue confetti. 192 pages of ivory paper, dotted every 5 mm, that ink does not bleed through. A5, thread-sewn, with a pocket at the back.',
    },
    {
      name: 'Sable Tip Paintbrush',
      emoji: '1f58c-fe0f',
      price: 8.25,
      quantity: 2,
      shipping: true,
      description:
        'A round brush, size 8, that holds a lot of water and still comes to a point. The fibre imitates sable down to its belly, and the handle is lacquered in pink. Wash it with soap and let it dry lying down.',
    },
    {
      name: 'Bobbin of Blue Thread',
      emoji: '1f9f5',
      price: 6.2,
      quantity: 80,
      shipping: true,
      description:
        'Five hundred metres of strong blue thread on a wooden bobbin, with a needle stuck in it. Mercerised cotton, number 50, for hand and machine. Fast to washing at 95 degrees.',
    },
  ],
}
