//! The smallest test, as the report shows it and as source.

use super::regression::Regression;
use crate::investigate::Investigation;
use linspect_core::client::{Client, Declared};
use linspect_core::machine::Subject;
use linspect_core::project::Projection;
use linspect_report::finding::{Finding, MinimalTest};

impl Investigation<'_> {
    /// The test that `projection` is a run of; none of a program.
    pub(crate) fn minimal_test(
        &self,
        projection: &Projection,
        client: &Client,
        certified: bool,
    ) -> Option<MinimalTest> {
        let test = || MinimalTest::of(projection, client.threads.len(), certified);
        (!self.is_program()).then(test)
    }

    /// Shows the test in `finding`, and its source.
    pub(crate) fn show_test(
        &self,
        finding: &mut Finding,
        projection: &Projection,
        client: &Client,
        certified: bool,
    ) {
        finding.minimal_test = self.minimal_test(projection, client, certified);
        if finding.minimal_test.is_none() {
            return;
        }
        let source = self.regression(client, finding);
        if let Some(minimal) = &mut finding.minimal_test {
            minimal.source = source;
        }
    }

    /// The test as something that can be written as source; none of a test that is one already, or of a program.
    pub(crate) fn emitted(&self, client: Client) -> Option<(Client, Vec<Declared>)> {
        let is_test = self.code.client().is_some() || client.threads.is_empty();
        (!is_test).then(|| (client, self.code.operations().to_vec()))
    }

    /// The test as source to stand beside the harness.
    fn regression(&self, client: &Client, finding: &Finding) -> Option<String> {
        let (client, declared) = self.emitted(client.clone())?;
        let regression = Regression::new(self.files, &client, &declared)?;
        regression.text(finding, self.files.first()?.parent()?)
    }
}
