"""From bytes to text and passages: files, formats, charsets, and parsers kept on a short leash."""
