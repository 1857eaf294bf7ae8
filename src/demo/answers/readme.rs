//! The documentation of a feed: a PDF of one page.

use crate::contract::Feed;

/// The page, as a valid PDF.
pub(super) fn pdf(feed: Feed) -> Vec<u8> {
    let text = format!(
        "BT /F1 16 Tf 72 760 Td ({feed} feed) Tj 0 -28 Td /F1 11 Tf (Invented data. {}.) Tj ET",
        feed.row().covers
    );
    let bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        &format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ];
    let objects = (1..)
        .zip(bodies)
        .map(|(number, body)| format!("{number} 0 obj\n{body}\nendobj\n"));
    let objects: Vec<String> = objects.collect();
    let mut offset = HEADER.len();
    let entries = objects.iter().map(|object| {
        let entry = format!("{offset:010} 00000 n \n");
        offset += object.len();
        entry
    });
    let entries: String = entries.collect();
    let size = objects.len() + 1;
    let objects = objects.concat();
    let pdf = format!(
        "{HEADER}{objects}xref\n0 {size}\n0000000000 65535 f \n{entries}\
         trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{offset}\n%%EOF\n"
    );
    pdf.into_bytes()
}

const HEADER: &str = "%PDF-1.4\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_pdf_points_at_its_objects() {
        let pdf = String::from_utf8(pdf(Feed::Anonymous)).expect("text");
        let start: usize = pdf
            .rsplit("startxref\n")
            .next()
            .and_then(|tail| tail.lines().next())
            .and_then(|number| number.parse().ok())
            .expect("offset of the table");
        assert!(pdf[start..].starts_with("xref"));
        for (number, entry) in (1..).zip(pdf[start..].lines().skip(3).take(5)) {
            let offset: usize = entry[..10].parse().expect("offset");
            assert!(pdf[offset..].starts_with(&format!("{number} 0 obj")));
        }
    }
}
