"""Pure text: words, sentences, names, dates, languages and how alike two texts are."""
